/** A call of the compatible API, as it is kept with its run. */
export interface ApiCall {
  path: string
  /** What of the request has no meaning for a run. */
  ignored: string[]
  /** How many calls of this server stand around it. */
  depth: number
}
