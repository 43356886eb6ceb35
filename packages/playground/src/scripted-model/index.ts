export { createScriptedAgentModel } from './scripted-agent-model.js';
export { createScriptedModel } from './scripted-model.js';
export { type ScriptChoice, type Step, step, type TaskScript } from './task-script.js';
export { NotOnPageError, View } from './view.js';
