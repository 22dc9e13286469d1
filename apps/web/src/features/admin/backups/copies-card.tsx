import type { BackupsState } from '@catenary/contracts'
import { DatabaseIcon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { Table, TableBody, TableHead, TableHeader } from '../../../components/ui/table.tsx'
import { GUIDE_TOPICS } from '../../../lib/guide-topics.ts'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { describeKept } from './backup-texts.ts'
import { CopyRow } from './copy-row.tsx'

export function CopiesCard({ state, isQuiet }: { state: BackupsState; isQuiet: boolean }) {
  const { copies, database, place, underWay } = state
  const kept = copies.filter(({ state: is }) => is === 'kept')
  const total = kept.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
  const tried = underWay === 'drill' ? kept.find(({ drill }) => drill === null) : undefined
  return (
    <section aria-label="Kept copies" className="min-w-0 overflow-hidden rounded-card border border-line">
      <header className="flex flex-wrap items-baseline justify-between gap-x-3 px-3.5 py-2.5 text-sm">
        <h2 className="font-semibold">
          Kept copies <span className="ml-1 font-normal text-text-2">{describeKept(copies)}</span>
        </h2>
        {kept.length > 0 && <span className="text-text-2 tabular-nums">{formatBytes(total)}</span>}
      </header>
      {copies.length === 0 ? (
        <p className="border-t border-line px-4 py-10 text-center text-sm text-text-2">
          No copies yet. The first will be made tonight at {state.time}, or when you choose Back up now.
        </p>
      ) : (
        <Table isFramed={false} className="[--row:39px]">
          <TableHeader>
            <tr className="max-sm:sr-only">
              <TableHead>Taken</TableHead>
              <TableHead className="max-sm:hidden">Kind</TableHead>
              <TableHead className="text-right max-sm:hidden">Size</TableHead>
              <TableHead className="max-sm:hidden">By</TableHead>
              <TableHead className="max-sm:hidden">Test restore</TableHead>
              <TableHead>
                <span className="sr-only">Actions</span>
              </TableHead>
            </tr>
          </TableHeader>
          <TableBody>
            {copies.map((copy) => (
              <CopyRow
                key={copy.id}
                copy={copy}
                isBusy={underWay !== null || isQuiet}
                isNewest={copy === kept[0]}
                isTried={copy === tried}
                isOutOfReach={place !== null && place.problem !== null}
              />
            ))}
          </TableBody>
        </Table>
      )}
      <Source database={database} />
    </section>
  )
}

function Source({ database: { kind, bytes } }: Pick<BackupsState, 'database'>) {
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line px-3.5 py-2 text-sm text-text-2">
      <span className="flex items-center gap-2">
        <DatabaseIcon className="size-4 shrink-0" />
        {kind === 'embedded' ? 'Embedded database' : 'PostgreSQL'}, {formatBytes(bytes)}. Each copy contains
        all of it.
      </span>
      {kind === 'embedded' && (
        <Button asChild variant="secondary" size="sm">
          <a href={GUIDE_TOPICS.moving.href} target="_blank" rel="noopener">
            Move to PostgreSQL<span className="sr-only">, in the guide, in a new tab</span>
          </a>
        </Button>
      )}
    </footer>
  )
}
