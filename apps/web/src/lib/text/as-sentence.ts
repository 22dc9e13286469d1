/** Reasons come with a full stop or without; another sentence may follow. */
export function asSentence(text: string): string {
  return /[.!?…。]["'”’»)]?\s*$/.test(text) ? text.trimEnd() : `${text.trimEnd()}.`
}
