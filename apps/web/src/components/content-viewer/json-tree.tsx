import { shortenText } from '@catenary/domain'
import { WrenchIcon } from 'lucide-react'
import { type CSSProperties, createContext, useContext, useMemo, useState } from 'react'
import { cn } from '../../lib/utils.ts'
import { FoldArrow } from '../fold-arrow.tsx'
import type { JsonNode } from '../reader/parse-json.ts'
import { Button } from '../ui/button.tsx'
import { Table, TableBody, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { type JsonAnswer, pathWithin } from './json-answer.ts'

const FIRST_SHOWN = 100
const MORE_SHOWN = 1_000

const OPEN_MAX = 300

interface Tree {
  isOpenAtFirst: (node: JsonNode) => boolean
  remarks: JsonRemarks
}

const TreeContext = createContext<Tree | null>(null)

export function JsonTree({ root, answer }: { root: JsonNode; answer: JsonAnswer }) {
  const tree = useMemo<Tree>(() => {
    const open = openAtFirst(root)
    return {
      isOpenAtFirst: (node) => open.has(node),
      remarks: {
        repairs: new Map(answer.repairs.map(({ path, before }) => [path, before])),
        problems: new Set(answer.problems.map(({ path }) => path)),
      },
    }
  }, [root, answer])
  return (
    <TreeContext value={tree}>
      <div className="@container -mx-2 text-sm">
        {isContainer(root) && sizeOf(root) > 0 ? (
          <Inside node={root} path="" depth={0} />
        ) : (
          <ul>
            <JsonRow name="" node={root} path="" depth={0} />
          </ul>
        )}
      </div>
    </TreeContext>
  )
}

type Container = Extract<JsonNode, { kind: 'list' | 'object' }>
const isContainer = (node: JsonNode): node is Container => node.kind === 'list' || node.kind === 'object'
const sizeOf = (node: Container) => (node.kind === 'list' ? node.items.length : node.entries.length)
const childrenOf = (node: Container): readonly JsonNode[] =>
  node.kind === 'list' ? node.items : node.entries.map(({ node }) => node)

function openAtFirst(root: JsonNode): ReadonlySet<JsonNode> {
  const open = new Set<JsonNode>()
  const queue = [root]
  let rows = 0
  for (const node of queue) {
    if (!isContainer(node)) continue
    rows += sizeOf(node)
    if (rows > OPEN_MAX) break
    open.add(node)
    for (const child of childrenOf(node)) queue.push(child)
  }
  return open
}

function Inside({ node, path, depth }: { node: Container; path: string; depth: number }) {
  const { shown, more } = useShown(sizeOf(node))
  const table = useMemo(() => tableOf(node), [node])
  const [isTable, setIsTable] = useState(true)
  const { remarks } = useTree()
  return (
    <>
      {table && (
        <div className="flex px-2" style={{ paddingLeft: 26 + indentOf(depth - 1) }}>
          <Button
            variant="link"
            className="min-h-6! text-xs font-normal"
            aria-pressed={isTable}
            onClick={() => setIsTable(!isTable)}
          >
            As table
          </Button>
        </div>
      )}
      {table && isTable ? (
        <JsonTable table={table} path={path} shown={shown} remarks={remarks} />
      ) : (
        <ul>
          {node.kind === 'list'
            ? node.items.slice(0, shown).map((item, index) => (
                <JsonRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: an answer's list stays as it is.
                  key={index}
                  name={index + 1}
                  node={item}
                  path={pathWithin(path, index)}
                  depth={depth}
                />
              ))
            : node.entries.slice(0, shown).map(({ name, node: value }, index) => (
                <JsonRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: a name may be there twice.
                  key={index}
                  name={name}
                  node={value}
                  path={pathWithin(path, name)}
                  depth={depth}
                />
              ))}
        </ul>
      )}
      <ShowMore {...more} />
    </>
  )
}

function useTree(): Tree {
  const tree = useContext(TreeContext)
  if (!tree) throw new Error('A row of JSON must be inside a JsonTree.')
  return tree
}

interface JsonRowProps {
  name: string | number
  node: JsonNode
  path: string
  depth: number
}

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 rounded-tag px-2 py-1 leading-5 @sm:grid-cols-[minmax(88px,30%)_72px_minmax(0,1fr)] [&>*]:leading-5'
const indentOf = (depth: number) => 14 * Math.min(depth, 8)

function JsonRow({ name, node, path, depth }: JsonRowProps) {
  const { isOpenAtFirst, remarks } = useTree()
  const [isOpen, setIsOpen] = useState(() => isOpenAtFirst(node))
  const [isRepaired, isWrong] = [remarks.repairs.has(path), remarks.problems.has(path)]
  const hasInside = isContainer(node) && sizeOf(node) > 0
  const label = (
    <span
      className={cn('min-w-0 font-mono text-xs wrap-anywhere', typeof name === 'number' && 'text-text-3')}
    >
      {name}
    </span>
  )
  return (
    <li>
      <div className={cn(ROW, isRepaired && 'bg-warn-soft', isWrong && 'bg-danger-soft')}>
        {hasInside ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            style={{ marginLeft: indentOf(depth) }}
            className="-my-1 flex min-h-7 min-w-0 items-center gap-1 rounded-tag pr-1 text-left hover:bg-hover pointer-coarse:-my-3 pointer-coarse:min-h-11"
          >
            <FoldArrow isOpen={isOpen} />
            {label}
          </button>
        ) : (
          <span className="min-w-0 pl-[18px]" style={{ marginLeft: indentOf(depth) }}>
            {label}
          </span>
        )}
        <span className={cn('text-xs text-text-3', isRepaired && 'text-warn', isWrong && 'text-danger')}>
          {typeWord(node)}
        </span>
        <span
          className="min-w-0 @max-sm:col-span-2 @max-sm:pl-[calc(18px+var(--indent))]"
          style={{ '--indent': `${indentOf(depth)}px` } as CSSProperties}
        >
          {!isContainer(node) && <JsonText node={node} />}
          <JsonRepair node={node} remarks={remarks} path={path} />
        </span>
      </div>
      {hasInside && isOpen && <Inside node={node} path={path} depth={depth + 1} />}
    </li>
  )
}

function typeWord(node: JsonNode): string {
  switch (node.kind) {
    case 'list':
      return node.items.length === 0 ? 'empty list' : `list, ${node.items.length.toLocaleString('en')}`
    case 'object':
      return node.entries.length === 0 ? 'empty group' : 'group'
    case 'boolean':
      return 'yes or no'
    case 'null':
      return 'nothing'
    default:
      return node.kind
  }
}

function useShown(size: number): { shown: number; more: ShowMoreProps } {
  const [shown, setShown] = useState(FIRST_SHOWN)
  return { shown, more: { left: size - shown, onShow: () => setShown(shown + MORE_SHOWN) } }
}

interface ShowMoreProps {
  left: number
  onShow: () => void
}

function ShowMore({ left, onShow }: ShowMoreProps) {
  if (left <= 0) return null
  const next = Math.min(left, MORE_SHOWN)
  return (
    <Button variant="ghost" size="sm" className="m-1" onClick={onShow}>
      {next.toLocaleString('en')} more{left > next && ` of ${left.toLocaleString('en')}`}
    </Button>
  )
}

interface JsonTableProps {
  table: JsonTableContent
  path: string
  shown: number
  remarks: JsonRemarks
}

function JsonTable({ table: { columns, rows }, path, shown, remarks }: JsonTableProps) {
  return (
    <div className="px-2 py-1">
      <Table className="[&_td]:px-2.5 [&_td]:py-1.5 [&_td]:align-top [&_th]:h-8 [&_th]:px-2.5">
        <TableHeader>
          <TableRow>
            <TableHead className="w-0">
              <span className="sr-only">Number</span>
            </TableHead>
            {columns.map((column) => (
              <TableHead key={column} className="font-mono font-normal">
                {column}
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {rows.slice(0, shown).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer's list stays as it is.
            <TableRow key={index}>
              <td className="text-xs text-text-3 tabular-nums">{index + 1}</td>
              {columns.map((column) => {
                const place = pathWithin(pathWithin(path, index), column)
                const value = row.get(column)
                return (
                  <td
                    key={column}
                    className={cn(
                      'max-w-80 min-w-20',
                      remarks.repairs.has(place) && 'bg-warn-soft',
                      remarks.problems.has(place) && 'bg-danger-soft',
                    )}
                  >
                    {value && <JsonText node={value} />}
                    {value && <JsonRepair node={value} remarks={remarks} path={place} />}
                  </td>
                )
              })}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  )
}

interface JsonRemarks {
  repairs: ReadonlyMap<string, string | null>
  problems: ReadonlySet<string>
}

function JsonRepair({ node, remarks, path }: { node: JsonNode; remarks: JsonRemarks; path: string }) {
  const before = remarks.repairs.get(path)
  if (before === undefined) return null
  const was = before === null ? 'was missing' : `was “${before}”`
  return (
    <span className="ml-2 text-warn">
      <WrenchIcon aria-hidden="true" className="mr-1 mb-0.5 inline size-3.5" />
      {was}
      {before !== null && node.kind === 'number' && ', now a number'}
    </span>
  )
}

const TEXT_SHOWN = 2_000

function JsonText({ node }: { node: Exclude<JsonNode, { kind: 'list' | 'object' }> }) {
  const [isWhole, setIsWhole] = useState(false)
  const { kind, value } = node
  if (kind === 'boolean') return <>{value === 'true' ? 'yes' : 'no'}</>
  if (kind === 'null') return <span className="text-text-3">–</span>
  if (kind === 'text' && value === '') return <span className="text-text-3">empty</span>
  const isClipped = value.length > TEXT_SHOWN && !isWhole
  return (
    <>
      <span
        className={cn('wrap-anywhere whitespace-pre-wrap', kind === 'number' && 'font-medium tabular-nums')}
      >
        {isClipped ? shortenText(value, TEXT_SHOWN) : value}
      </span>
      {isClipped && (
        <Button variant="link" className="ml-2 text-xs" onClick={() => setIsWhole(true)}>
          {(value.length - TEXT_SHOWN).toLocaleString('en')} more characters
        </Button>
      )}
    </>
  )
}

const COLUMNS_MAX = 10

type JsonValue = Exclude<JsonNode, { kind: 'list' | 'object' }>

interface JsonTableContent {
  columns: readonly string[]
  rows: readonly ReadonlyMap<string, JsonValue>[]
}

function tableOf(node: JsonNode): JsonTableContent | null {
  if (node.kind !== 'list' || node.items.length < 2) return null
  const columns = new Set<string>()
  const rows: Map<string, JsonValue>[] = []
  for (const item of node.items) {
    if (item.kind !== 'object') return null
    const row = new Map<string, JsonValue>()
    for (const { name, node: value } of item.entries) {
      if (value.kind === 'list' || value.kind === 'object' || row.has(name)) return null
      row.set(name, value)
      columns.add(name)
    }
    if (columns.size > COLUMNS_MAX) return null
    rows.push(row)
  }
  return columns.size === 0 ? null : { columns: [...columns], rows }
}
