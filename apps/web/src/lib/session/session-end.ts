/** Has the person log in again; true once the same one is there. */
type LogInAgain = () => Promise<boolean>

let logInAgain: LogInAgain | null = null
let asking: Promise<boolean> | null = null

/** Registers a handler for a session that ends while the page is open; returns its removal. */
export function onSessionEnd(ask: LogInAgain): () => void {
  logInAgain = ask
  return () => {
    if (logInAgain === ask) logInAgain = null
  }
}

/** Whether a call that was refused for want of a session may be made again; all that wait are asked for once. */
export function isSessionRestored(): Promise<boolean> {
  asking ??= (logInAgain?.() ?? Promise.resolve(false)).finally(() => {
    asking = null
  })
  return asking
}
