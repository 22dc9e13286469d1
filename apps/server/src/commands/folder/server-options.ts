export interface ServerOptions {
  url?: string
}

/** What a command says, and whether all is well. */
export interface Ended {
  text: string
  isWell: boolean
}
