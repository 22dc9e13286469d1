export interface ServerOptions {
  url?: string
}

export interface Ended {
  text: string
  isWell: boolean
}
