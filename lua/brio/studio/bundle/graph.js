// dagre, which lays out graphs.
export { graphlib, layout } from "@dagrejs/dagre";
