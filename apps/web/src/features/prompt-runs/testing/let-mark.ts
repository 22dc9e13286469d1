import { vi } from 'vitest'

/** Stands in for the browser's highlights, which the tests' DOM lacks; gives the words that are tinted. */
export function letMark() {
  const highlights = new Map<string, Set<StaticRange>>()
  vi.stubGlobal('CSS', { highlights })
  vi.stubGlobal('Highlight', Set)
  const tinted = () =>
    [...(highlights.get('differs') ?? [])].map(({ startContainer, startOffset, endOffset }) =>
      (startContainer.textContent ?? '').slice(startOffset, endOffset),
    )
  return { tinted }
}
