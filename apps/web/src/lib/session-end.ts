/** Has the person log in again; true once the same one is there. */
type LogInAgain = () => Promise<boolean>

let logInAgain: LogInAgain | null = null
let asking: Promise<boolean> | null = null

/** Says who asks when a session has ended under the page; gives a function that takes it back. */
export function whenSessionEnds(ask: LogInAgain): () => void {
  logInAgain = ask
  return () => {
    if (logInAgain === ask) logInAgain = null
  }
}

/** Whether a call that was refused for want of a session may be made again; all that wait are asked for once. */
export function isSessionBack(): Promise<boolean> {
  asking ??= (logInAgain?.() ?? Promise.resolve(false)).finally(() => {
    asking = null
  })
  return asking
}
