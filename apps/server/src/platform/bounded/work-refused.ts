type Refusal = 'size' | 'time' | 'memory' | 'depth' | 'left'

export class WorkRefused extends Error {
  override name = 'WorkRefused'
  readonly why: Refusal

  constructor(why: Refusal, message: string) {
    super(message)
    this.why = why
  }
}
