export interface ApiCall {
  path: string
  ignored: string[]
  depth: number
}
