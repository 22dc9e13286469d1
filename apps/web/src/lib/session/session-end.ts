type LogInAgain = () => Promise<boolean>

let logInAgain: LogInAgain | null = null
let asking: Promise<boolean> | null = null

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
