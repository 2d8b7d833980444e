// The Python of browsers as a child process: one line of JSON in, {"code": ...}; one line out, what the code returns.
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadPyodide } from "../../.pyodide/pyodide.mjs";

const [root] = process.argv.slice(2);
const python = await loadPyodide({ stdout: console.error, stderr: console.error });
const tools = readdirSync(root + "/.pyodide-tests").map((wheel) => root + "/.pyodide-tests/" + wheel);
await python.loadPackage(["numpy", "pygments", ...tools], { messageCallback: () => {} });
python.mountNodeFS("/mlnotes", root);

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { value: python.runPython(JSON.parse(line).code) ?? null };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
