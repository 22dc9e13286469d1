import type { UsageItem } from '@catenary/contracts'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/ui/button.tsx'
import { formatCount } from '../runs/format-metrics.ts'
import { moneyText } from './usage-text.ts'

const SHOWN = 5

interface ItemsPanelProps {
  title: string
  items: { count: number; listed: UsageItem[] }
  nameless: string
  nameOf?: (item: UsageItem) => string
  hrefOf?: (item: UsageItem) => string
  empty: string
  hasCost?: boolean
}

export function ItemsPanel({
  title,
  items: { count, listed },
  nameless,
  nameOf = ({ name }) => name ?? nameless,
  hrefOf,
  empty,
  hasCost = true,
}: ItemsPanelProps) {
  const id = useId()
  const [showsAll, setShowsAll] = useState(false)
  const most = Math.max(1, ...listed.map(({ runs }) => runs))
  const shown = showsAll ? listed : listed.slice(0, SHOWN)
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-card border border-line bg-surface">
      <header className="flex min-h-11 items-center gap-3 px-3.5">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {count > SHOWN && (
          <Button
            variant="ghost"
            size="sm"
            aria-expanded={showsAll}
            aria-label={showsAll ? `Show fewer: ${title}` : `Show all ${count}: ${title}`}
            onClick={() => setShowsAll(!showsAll)}
            className="-mr-1.5 ml-auto px-1.5 font-normal"
          >
            {showsAll ? 'Fewer' : `All ${formatCount(count)}`}
          </Button>
        )}
      </header>
      {listed.length === 0 ? (
        <p className="border-t border-line px-3.5 py-3 text-sm text-text-3">{empty}</p>
      ) : (
        <table className="w-full table-fixed text-sm tabular-nums">
          <thead className="text-xs text-text-3">
            <tr>
              <th scope="col" className="px-3.5 py-1.5 text-left font-medium">
                Name
              </th>
              <th scope="col" className="w-28 py-1.5 text-right font-medium">
                Runs
              </th>
              {hasCost && (
                <th scope="col" className="w-20 py-1.5 pr-3.5 text-right font-medium">
                  Cost
                </th>
              )}
              {!hasCost && <td className="w-3.5" />}
            </tr>
          </thead>
          <tbody>
            {shown.map((item) => (
              <tr key={item.key} className="border-t border-line">
                <td className="h-9 truncate px-3.5">
                  {hrefOf ? (
                    <Link
                      href={hrefOf(item)}
                      title={nameOf(item)}
                      className="hover:underline underline-offset-3 pointer-coarse:py-3"
                    >
                      {nameOf(item)}
                    </Link>
                  ) : (
                    nameOf(item)
                  )}
                </td>
                <td>
                  <span className="flex items-center justify-end gap-2">
                    <span aria-hidden="true" className="flex h-1.5 w-12">
                      <span
                        className="h-full min-w-0.5 rounded-full bg-accent"
                        style={{ width: `${(item.runs / most) * 100}%` }}
                      />
                    </span>
                    <span className="min-w-10 text-right">{formatCount(item.runs)}</span>
                  </span>
                </td>
                {hasCost ? (
                  <td className="pr-3.5 text-right text-text-2">{moneyText(item.costUsd)}</td>
                ) : (
                  <td />
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
