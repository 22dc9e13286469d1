export interface ApiCall {
  path: string
  /** What of the request has no meaning for a run. */
  ignored: string[]
  depth: number
}
