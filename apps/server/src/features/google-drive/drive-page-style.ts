const SHARED_STYLE = `
body { background: var(--surface); }
a:focus-visible, button:focus-visible, input:focus-visible {
  outline: none; border-color: var(--accent);
  box-shadow: 0 0 0 3px color-mix(in oklab, var(--accent) 22%, transparent);
}
.button {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; height: 2rem; padding: 0 0.75rem;
  border: 1px solid var(--line); border-radius: 7px; background: var(--surface); color: var(--text);
  font: inherit; font-size: 0.8125rem; font-weight: 500; white-space: nowrap; text-decoration: none; cursor: pointer;
  transition: background-color 120ms;
}
.button:hover { background: var(--hover); }
.button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.button.primary:hover { background: var(--accent-hover); }
.notice {
  max-width: 28rem; margin: 0 auto; padding: 4rem 1rem; display: grid; justify-items: center; gap: 0.375rem;
  text-align: center;
}
.notice .icon {
  display: grid; place-items: center; width: 2.5rem; height: 2.5rem; margin-bottom: 0.5rem;
  border: 1px solid var(--line); border-radius: 10px; color: var(--text-3);
}
.notice :where(h1, h2) { margin: 0; font-size: 0.90625rem; font-weight: 600; letter-spacing: -0.015em; }
.notice p { margin: 0; font-size: 0.8125rem; color: var(--text-2); text-wrap: balance; }
.notice .actions { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem; margin-top: 0.75rem; }
svg { width: 1.25rem; height: 1.25rem; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
[hidden] { display: none !important; }
@media (pointer: coarse) { .button { min-height: 2.75rem; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
`

export const NOTICE_STYLE = SHARED_STYLE

export const PICKER_STYLE = `${SHARED_STYLE}
body { display: flex; flex-direction: column; height: 100dvh; min-height: 0; }
header { display: grid; gap: 0.75rem; padding: 1rem 1.25rem; border-bottom: 1px solid var(--line); }
.title { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
.title h1 { margin: 0; font-size: 1rem; font-weight: 600; letter-spacing: -0.015em; white-space: nowrap; }
.title p { margin: 0; min-width: 0; font-size: 0.78125rem; color: var(--text-3); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.search { position: relative; }
.search svg { position: absolute; left: 0.625rem; top: 50%; width: 1rem; height: 1rem; translate: 0 -50%; color: var(--text-3); pointer-events: none; }
.search input {
  width: 100%; height: 2rem; padding: 0 0.75rem 0 2.125rem; border: 1px solid var(--line); border-radius: 7px;
  background: var(--surface); color: var(--text); font: inherit; font-size: 0.8125rem;
}
.search input::placeholder { color: var(--text-3); opacity: 1; }
.search input:focus-visible { border-color: var(--accent); }
.search input::-webkit-search-cancel-button { display: none; }
main { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; scroll-padding: 0.5rem; padding: 0.5rem 0.75rem 1rem; }
ul { margin: 0; padding: 0; list-style: none; }
.file {
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 0 0.75rem;
  width: 100%; min-height: 2.75rem; padding: 0.375rem 0.625rem; border: 1px solid transparent; border-radius: 7px;
  background: none; color: inherit; font: inherit; text-align: left; cursor: pointer;
}
.file:hover { background: var(--hover); }
.file:focus-visible { background: var(--accent-soft); }
.file svg { width: 1rem; height: 1rem; color: var(--text-3); }
.file .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.file .about { font-size: 0.78125rem; color: var(--text-2); white-space: nowrap; }
.more { display: flex; justify-content: center; padding: 0.75rem 0 0; }
.skeleton { animation: appear 120ms 150ms ease-out both; }
.skeleton li { display: flex; align-items: center; gap: 0.75rem; height: 2.75rem; padding: 0 0.625rem; }
.skeleton i { height: 0.625rem; border-radius: 5px; background: var(--hover); }
.skeleton i:nth-child(1) { width: 1rem; height: 1rem; }
.skeleton i:nth-child(2) { flex: 0 1 18rem; }
.skeleton li:nth-child(even) i:nth-child(2) { flex-basis: 12rem; }
.skeleton i:nth-child(3) { width: 6rem; margin-left: auto; }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (pointer: coarse) {
  .search input { height: 2.75rem; font-size: 1rem; }
  .file { min-height: 3.25rem; }
}
@media (max-width: 30rem) {
  header { padding: 0.875rem 1rem; }
  main { padding: 0.5rem 0.5rem 1rem; }
  .file { grid-template-columns: auto minmax(0, 1fr); padding: 0.5rem; }
  .file .name { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow-wrap: anywhere; }
  .file svg { align-self: start; margin-top: 0.1875rem; }
  .file .about { grid-column: 2; }
}
`
