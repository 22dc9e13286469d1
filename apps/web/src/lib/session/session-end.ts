/** Asks the person to log in again; true once the same person has. */
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

/** Whether a call that was refused for lack of a session may be repeated; one login serves all that wait. */
export function isSessionRestored(): Promise<boolean> {
  asking ??= (logInAgain?.() ?? Promise.resolve(false)).finally(() => {
    asking = null
  })
  return asking
}
