// Preact with signals and templates.
import { h } from "preact";
import htm from "htm";
export { h, render, Component, Fragment } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, untracked } from "@preact/signals";
export const html = htm.bind(h);
