/** What stopped a piece of bounded work. */
type Refusal = 'size' | 'time' | 'memory' | 'depth' | 'left'

/** Bounded work was not done, or not to its end; the message is a sentence for the person. */
export class WorkRefused extends Error {
  override name = 'WorkRefused'
  readonly why: Refusal

  constructor(why: Refusal, message: string) {
    super(message)
    this.why = why
  }
}
