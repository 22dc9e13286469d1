import type { GuidePage } from './read-guide.ts'

export interface PlacedPage extends GuidePage {
  name: string
  group: string
}

const FIRST = 'README'
const files = import.meta.glob<{ default: GuidePage }>('../../../../../docs/guide/*.md', { eager: true })
const read = new Map(
  Object.entries(files).map(([file, module]) => [file.replace(/^.*\/|\.md$/g, ''), module.default]),
)

export const GUIDE: readonly PlacedPage[] = placePages(read)

export function guideAddress(href: string): string | null {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return null
  return `${name === FIRST ? '/docs' : `/docs/${name}`}${anchor}`
}

function placePages(pages: ReadonlyMap<string, GuidePage>): PlacedPage[] {
  const first = pages.get(FIRST)
  if (!first) return []
  const placed: PlacedPage[] = [{ ...first, name: '', group: '' }]
  for (const { title, links } of first.parts) {
    for (const link of links) {
      const name = link.replace(/\.md(#.*)?$/, '')
      const page = pages.get(name)
      if (page && name !== FIRST && !placed.some((other) => other.name === name))
        placed.push({ ...page, name, group: title })
    }
  }
  return placed
}
