export interface ServerOptions {
  url?: string
}
