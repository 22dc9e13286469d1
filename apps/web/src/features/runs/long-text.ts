import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'

/** Longer texts are shown as they are: rendering them would take longer than reading on. */
const RENDERED_MAX = 100_000

export function viewFor(text: string): ContentView {
  return text.length > RENDERED_MAX ? 'source' : 'rendered'
}
