// uPlot, with its styles.
import "uplot/dist/uPlot.min.css";
export { default as uPlot } from "uplot";
