// The commands behind three buttons of the notebook toolbar. Written in the form that JupyterLab loads: no build step.
(() => {
  const notebook = (app) => {
    const panel = app.shell.currentWidget;
    return panel && panel.context && panel.sessionContext ? panel : null;
  };

  async function download(app) {
    const panel = notebook(app);
    if (!panel) return;
    await panel.context.save();
    const text = JSON.stringify(panel.context.model.toJSON(), null, 1) + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
    link.download = panel.context.path.split("/").pop();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  async function startAfresh(app) {
    const panel = notebook(app);
    if (!panel) return;
    const { path } = panel.context;
    const question = `Replace your ${path} by the one of the course? Your changes to it are lost; Download keeps a copy.`;
    if (!window.confirm(question)) return;
    await panel.context.save(); // so that nothing writes the old text again later
    await app.serviceManager.contents.delete(path);
    await panel.context.revert();
    await panel.sessionContext.restartKernel();
  }

  async function stop(app) {
    const panel = notebook(app);
    if (panel) await panel.sessionContext.restartKernel();
  }

  const plugin = {
    id: "mlnotes-lite:plugin",
    autoStart: true,
    activate: (app) => {
      app.commands.addCommand("mlnotes:download", {
        label: "Download",
        caption: "Save this notebook, with your changes, as a file: this is what you hand in",
        execute: () => download(app),
      });
      app.commands.addCommand("mlnotes:start-afresh", {
        label: "Start afresh",
        caption: "Replace this notebook by the one of the course; asks first",
        execute: () => startAfresh(app),
      });
      app.commands.addCommand("mlnotes:stop", {
        label: "Stop",
        caption: "End what runs: Python starts anew, the notebook stays",
        execute: () => stop(app),
      });
    },
  };

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["mlnotes-lite"] = {
    init: () => {},
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
