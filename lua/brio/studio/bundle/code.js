// CodeMirror 6 with the Lua mode.
export { EditorView, basicSetup } from "codemirror";
export { EditorState, Compartment } from "@codemirror/state";
export { StreamLanguage } from "@codemirror/language";
export { lua } from "@codemirror/legacy-modes/mode/lua";
export { setDiagnostics, lintGutter } from "@codemirror/lint";
