import type { Page } from 'playwright-core'

const CONTROL = /^(button|link|textbox|searchbox|checkbox|switch|combobox|slider|spinbutton)$/
const LIST = /^(list|table|rowgroup|grid|main|region)$/
const GROUP = /^(listitem|article|figure|region|group|list|rowheader|table)$/
const ITEM = /^(listitem|row|article)$/

interface Node {
  role: string
  name: string
  /** Where a link leads. */
  url: string
  /** Of a cell: what heads its row and column. */
  heads?: string
  children: Node[]
}

/** Controls without a name, and those of one list that are called the same and do not lead to the same place. */
export async function findUnnamed(page: Page): Promise<string[]> {
  const tree = read(await page.locator('body').ariaSnapshot())
  const nodes = [...walk(tree)]
  for (const table of nodes.filter(({ role }) => role === 'table')) nameCells(table)
  const unnamed = nodes
    .filter(({ role, name }) => CONTROL.test(role) && name === '')
    .map(({ role }) => `a ${role} has no name`)
  const repeated = nodes
    .filter(({ role }) => LIST.test(role))
    .flatMap((list) => repeatedIn(list.children.filter(({ role }) => ITEM.test(role))))
  return [...new Set([...unnamed, ...repeated])]
}

/** The headers of its row and column name the content of a cell. */
function nameCells(table: Node): void {
  const rows = [...walk(table)].filter(({ role }) => role === 'row')
  const heads = rows[0]?.children.map(({ role, name }) => (role === 'columnheader' ? name : '')) ?? []
  for (const { children } of rows) {
    const [row] = children.filter(({ role }) => role === 'rowheader')
    children.forEach((cell, index) => {
      if (cell.role === 'cell') cell.heads = [row?.name ?? '', heads[index] ?? ''].filter(Boolean).join(', ')
    })
  }
}

/** A name counts with those of the groups around it: "Copy" in the figure "Answer" of the article "Run 12". */
function repeatedIn(items: Node[]): string[] {
  const seen = new Map<string, Set<string>>()
  items.forEach((item, index) => {
    for (const [{ role, name, url }, around] of walkNamed(item, '')) {
      if (!CONTROL.test(role) || name === '') continue
      const key = `${role} ${around}“${name}”`
      seen.set(key, (seen.get(key) ?? new Set()).add(role === 'link' ? url : String(index)))
    }
  })
  return [...seen].filter(([, places]) => places.size > 1).map(([key, { size }]) => `${size} × ${key}`)
}

function* walkNamed(node: Node, around: string): Generator<[Node, string]> {
  yield [node, around]
  const group = node.heads ?? (GROUP.test(node.role) ? node.name : '')
  const within = group === '' ? around : `${around}${group} › `
  for (const child of node.children) yield* walkNamed(child, within)
}

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of node.children) yield* walk(child)
}

/** The tree that Playwright writes as indented lines: `- button "Save" [disabled]:`. */
function read(snapshot: string): Node {
  const root: Node = { role: 'document', name: '', url: '', children: [] }
  const open = [root]
  for (const line of snapshot.split('\n')) {
    const depth = (line.length - line.trimStart().length) / 2 + 1
    const url = /^ *- \/url: (.*)$/.exec(line)?.[1]
    const parent = open[depth - 1]
    if (url !== undefined && parent) parent.url = url
    const [, role, name = '', text = ''] =
      /^ *- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(?: \[[^\]]*\])*:?(.*)$/.exec(line) ?? []
    if (role === undefined || role === 'text' || !parent) continue
    // What follows the colon is the value of a field, and the content of anything else.
    const node: Node = {
      role,
      name: name || (/box|slider|spin/.test(role) ? '' : text.trim()),
      url: '',
      children: [],
    }
    parent.children.push(node)
    open.splice(depth, open.length, node)
  }
  return root
}
