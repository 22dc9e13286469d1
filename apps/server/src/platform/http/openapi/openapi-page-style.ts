export const API_PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(oklch(0.978 0.003 220), oklch(0.17 0.008 230));
  --surface: light-dark(oklch(1 0 0), oklch(0.205 0.009 230));
  --inset: light-dark(oklch(0.968 0.004 220), oklch(0.185 0.008 230));
  --line: light-dark(oklch(0.915 0.006 220), oklch(0.285 0.011 230));
  --text: light-dark(oklch(0.235 0.018 235), oklch(0.935 0.005 220));
  --text-2: light-dark(oklch(0.44 0.018 235), oklch(0.76 0.01 220));
  --accent: light-dark(oklch(0.43 0.08 202), oklch(0.82 0.095 195));
  --ok: light-dark(oklch(0.47 0.11 152), oklch(0.8 0.12 155));
  --warn: light-dark(oklch(0.46 0.1 70), oklch(0.84 0.11 85));
  --danger: light-dark(oklch(0.5 0.18 27), oklch(0.74 0.15 25));
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 6rem;
  background: var(--bg); color: var(--text);
  font: 0.875rem/1.55 "Geist Variable", ui-sans-serif, system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
}
a { color: var(--accent); text-underline-offset: 0.2em; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; font-weight: 600; letter-spacing: -0.01em; }
h1::first-letter, section > h2 a::first-letter { text-transform: uppercase; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1rem; font-weight: 600; }
h2 a { display: inline-block; }
summary h2 { display: inline; font-size: inherit; font-weight: 500; }
h3 { margin: 1rem 0 0.375rem; font-size: 0.75rem; font-weight: 600; color: var(--text-2); }
p { margin: 0.5rem 0; max-width: 44rem; }
.brand { display: flex; gap: 1rem; color: var(--text-2); }
.brand a { color: inherit; text-decoration: none; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 1rem 0 0; padding: 0; list-style: none; }
nav a, .operations a, p > a:only-child, .brand a { display: inline-block; padding: 0.25rem 0; }
@media (pointer: coarse) { nav a, h2 a, .operations a, p > a:only-child, .brand a { min-width: 2.75rem; padding: 0.75rem 0; } }
nav [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
.operations { margin: 0; padding: 0; list-style: none; }
.operations a { text-decoration: none; }
.operations a:hover code { text-decoration: underline; }
code { font: 0.8125rem/1.5 "Geist Mono Variable", ui-monospace, monospace; overflow-wrap: anywhere; }
small, em { font-size: 0.78125rem; font-style: normal; color: var(--text-2); }
section > details { border: 1px solid var(--line); border-bottom-width: 0; background: var(--surface); }
section > details:first-of-type { border-radius: 0.5rem 0.5rem 0 0; }
section > details:last-of-type { border-bottom-width: 1px; border-radius: 0 0 0.5rem 0.5rem; }
section > details:only-of-type { border-radius: 0.5rem; }
summary { padding: 0.625rem 0.875rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.about { color: var(--text-2); margin-left: 0.5rem; }
.method { display: inline-block; min-width: 3.75rem; font-size: 0.71875rem; font-weight: 600; color: var(--text-2); }
.method.get { color: var(--accent); }
.method.post { color: var(--ok); }
.method.put, .method.patch { color: var(--warn); }
.method.delete { color: var(--danger); }
.operation { padding: 0.25rem 0.875rem 1rem; border-top: 1px solid var(--line); background: var(--inset); }
.reply p { margin: 0.375rem 0; }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
th { width: 30%; }
td:nth-child(2) { width: 22%; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .about { display: block; margin: 0.125rem 0 0; }
  th { width: 38%; }
}
`
