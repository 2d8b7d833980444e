// The Python of browsers as a child process: one line of JSON in, {"code": ...}; one line out, what the code returns.
import { createInterface } from "node:readline";
import { loadPyodide } from "../../.pyodide/pyodide.mjs";

const [root] = process.argv.slice(2);
const python = await loadPyodide({ stdout: console.error, stderr: console.error });
await python.loadPackage(["numpy"], { messageCallback: () => {} });
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
