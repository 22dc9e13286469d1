/** Entries that the log keeps; the oldest leave first. */
const LOG_CAPACITY = 1000

const ENTITY_ATTRIBUTES = ['data-prompt-id', 'data-variable-id', 'data-category-id', 'data-tag-id']

interface LogEntry {
  at: string
  event: string
  data?: unknown
}

const entries: LogEntry[] = []

/** Notes an event in the page's own log; nothing leaves the browser. */
export function logEvent(event: string, data?: unknown): void {
  entries.push({ at: new Date().toISOString(), event, data })
  if (entries.length > LOG_CAPACITY) entries.splice(0, entries.length - LOG_CAPACITY)
}

/** The log, oldest entry first. */
function readLog(): readonly LogEntry[] {
  return entries
}

/** Notes clicks on elements that carry a prompt, variable, category or tag; for support, as `catenaryLog()`. */
export function installDiagnostics(): void {
  document.addEventListener('click', logClick, { capture: true })
  Object.assign(globalThis, { catenaryLog: readLog })
}

function logClick(event: MouseEvent): void {
  const selector = ENTITY_ATTRIBUTES.map((name) => `[${name}]`).join(',')
  const element = event.target instanceof Element ? event.target.closest(selector) : null
  if (!element) return
  const data = ENTITY_ATTRIBUTES.flatMap((name) => {
    const value = element.getAttribute(name)
    return value === null ? [] : [[name, value]]
  })
  logEvent('click', Object.fromEntries(data))
}
