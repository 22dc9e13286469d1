import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGuidePage } from '../apps/web/src/features/guide/read-guide.ts'
import { GUIDE_TOPICS } from '../apps/web/src/lib/guide-topics.ts'

const root = join(import.meta.dirname, '..')
const guide = join(root, 'docs', 'guide')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = readdirSync(guide).filter((file) => file.endsWith('.md'))
const pages = new Map(files.map((file) => [file, readGuidePage(read(join('docs/guide', file)))]))

/** What is wrong with a link of the guide to a page of it, or to a part of one. */
function faultOf({ from, link }: { from: string; link: string }): string[] {
  if (/^https?:/.test(link)) return []
  const [file = '', anchor] = link.split('#')
  const page = pages.get(file === '' ? from : file)
  if (!page) return [`${from}: no page ${link}`]
  const isThere = anchor === undefined || page.parts.some((part) => part.anchor === anchor)
  return isThere ? [] : [`${from}: no part ${link}`]
}

test('every link of the guide leads to a page and a part of it', () => {
  const links = [...pages].flatMap(([from, { parts }]) =>
    parts.flatMap(({ links }) => links.map((link) => ({ from, link }))),
  )
  expect(links.length).toBeGreaterThan(20)
  expect(links.flatMap(faultOf)).toEqual([])
})

test('a link to a page or a part that is not there is found', () => {
  expect(faultOf({ from: 'start.md', link: 'nowhere.md' })).toEqual(['start.md: no page nowhere.md'])
  expect(faultOf({ from: 'start.md', link: 'chains.md#nowhere' })).toEqual([
    'start.md: no part chains.md#nowhere',
  ])
  expect(faultOf({ from: 'start.md', link: '#nowhere' })).toEqual(['start.md: no part #nowhere'])
})

test('every topic that the app leads to is in the guide', () => {
  const faults = Object.values(GUIDE_TOPICS).flatMap(({ href }) => {
    const [, name = '', anchor = ''] = /^\/docs(?:\/([\w-]+))?(#.+)?$/.exec(href) ?? []
    return faultOf({ from: 'the app', link: `${name === '' ? 'README' : name}.md${anchor}` })
  })
  expect(faults).toEqual([])
})

test('the first page names every other one', () => {
  const named = pages.get('README.md')?.parts.flatMap(({ links }) => links)
  expect(named?.toSorted()).toEqual(files.filter((file) => file !== 'README.md').toSorted())
})

test('every picture is there, light and dark', () => {
  const pictures = files.flatMap((file) =>
    [...read(join('docs/guide', file)).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
      ([, picture = '']) => picture,
    ),
  )
  const missing = pictures
    .flatMap((picture) => [picture, picture.replace('.webp', '-dark.webp')])
    .filter((picture) => !existsSync(join(guide, picture)))
  expect(missing).toEqual([])
})

/** The commands of a page's fenced blocks; what is taken from the code is tried there. */
function commandsOf(markdown: string): string[] {
  const written = markdown.replaceAll(/<!-- Written by .*?<!-- Its end\. -->/gs, '')
  return [...written.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, language = '', block = '']) =>
    (/^(sh|bash|console)?$/.test(language) ? block : '')
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/ +# .*$/, '').trim())
      .filter((line) => line !== ''),
  )
}

test('Each command of the README, CONTRIBUTING and the guide is run by a test, or was typed by hand.', () => {
  const rows = [...read('docs/commands.md').matchAll(/^\| `(.+)` \| (.+) \|$/gm)]
  const pages = ['README.md', 'CONTRIBUTING.md', ...files.map((file) => join('docs/guide', file))]
  const shown = pages.flatMap((file) => commandsOf(read(file)))
  expect(rows.map(([, command]) => command).toSorted()).toEqual([...new Set(shown)].toSorted())
  const unshown = rows.filter(([, , by = '']) => {
    const run = [...by.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file)
    return run.length === 0
      ? !/^(by hand, \d{4}-\d\d-\d\d|itself)$/.test(by)
      : !run.every((file) => existsSync(join(root, file)))
  })
  expect(unshown.map(([row]) => row)).toEqual([])
})

test('commands are found in blocks, over several lines, without their comments', () => {
  const page = '```sh\nnpm start     # serves it\ncurl \\\n  -v x\n```\n\n```ini\nA=1\n```\n'
  expect(commandsOf(page)).toEqual(['npm start', 'curl    -v x'])
})
