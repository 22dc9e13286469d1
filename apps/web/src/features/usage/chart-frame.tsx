import { TableIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { cn } from '../../lib/utils.ts'

export interface ChartTable {
  head: string[]
  rows: { key: string; cells: ReactNode[] }[]
}

interface ChartFrameProps {
  title: string
  subtitle?: string
  legend?: ReactNode
  table: ChartTable
  children: ReactNode
  className?: string
}

export function ChartFrame({ title, subtitle, legend, table, children, className }: ChartFrameProps) {
  const [isTable, setIsTable] = useState(false)
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cn(
        '@container flex min-w-0 flex-col rounded-card border border-line bg-surface p-3.5',
        className,
      )}
    >
      <header className={cn('mb-3 flex min-h-6 items-center gap-x-2 gap-y-1', legend && '@max-sm:flex-wrap')}>
        <h2 id={id} className="shrink-0 text-sm font-semibold">
          {title}
        </h2>
        {subtitle && <span className="min-w-0 truncate text-sm text-text-3">{subtitle}</span>}
        <div className="ml-auto flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1">
          {legend}
          <Button
            variant="ghost"
            size="sm"
            aria-pressed={isTable}
            aria-label={`${title} as table`}
            onClick={() => setIsTable(!isTable)}
            className={cn('-mr-1.5 px-1.5', isTable && 'bg-hover')}
          >
            <TableIcon />
            <span className="@max-[21rem]:sr-only">As table</span>
          </Button>
        </div>
      </header>
      {isTable ? <PlainTable label={title} {...table} /> : children}
    </section>
  )
}

function PlainTable({ label, head, rows }: ChartTable & { label: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys
      tabIndex={0}
      aria-label={`${label}, table`}
      className="max-h-59 overflow-auto rounded-control outline-offset-2"
    >
      <table className="w-full text-sm tabular-nums">
        <thead className="sticky top-0 bg-surface text-xs text-text-3">
          <tr>
            {head.map((name, index) => (
              <th
                key={name}
                scope="col"
                className={cn('py-1 font-medium', index === 0 ? 'text-left' : 'pl-3 text-right')}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {cells[0]}
              </th>
              {cells.slice(1).map((cell, index) => (
                <td key={head[index + 1]} className="py-1 pl-3 text-right">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
