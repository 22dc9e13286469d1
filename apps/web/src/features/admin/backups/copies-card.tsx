import type { BackupsState } from '@catenary/contracts'
import { DatabaseIcon } from 'lucide-react'
import { Table, TableBody, TableHead, TableHeader, TableRow } from '../../../components/ui/table.tsx'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { describeKept } from './backup-texts.ts'
import { CopyRow } from './copy-row.tsx'

/** Every copy that there is, and the tries that failed. */
export function CopiesCard({ state }: { state: BackupsState }) {
  const { copies, database } = state
  const total = copies.reduce((sum, { state: is, bytes }) => sum + (is === 'kept' ? (bytes ?? 0) : 0), 0)
  return (
    <section aria-label="Kept copies" className="grid min-w-0 gap-2">
      <header className="flex flex-wrap items-baseline justify-between gap-x-3 px-1 text-sm">
        <h4 className="font-semibold">
          Kept copies <span className="ml-1 font-normal text-text-2">{describeKept(copies)}</span>
        </h4>
        <span className="text-text-2 tabular-nums">{formatBytes(total)}</span>
      </header>
      {copies.length === 0 ? (
        <p className="rounded-card border border-line px-4 py-8 text-center text-sm text-text-2">
          There is no copy yet. The first is made tonight at {state.time}.
        </p>
      ) : (
        <Table>
          <TableHeader>
            <tr>
              <TableHead>Taken</TableHead>
              <TableHead className="max-sm:hidden">Kind</TableHead>
              <TableHead className="text-right max-sm:hidden">Size</TableHead>
              <TableHead className="max-sm:hidden">By</TableHead>
              <TableHead>Drill</TableHead>
              <TableHead>
                <span className="sr-only">Actions</span>
              </TableHead>
            </tr>
          </TableHeader>
          <TableBody>
            {copies.map((copy) => (
              <TableRow key={copy.id} className={copy.problem === null ? '' : 'bg-danger-soft'}>
                <CopyRow copy={copy} isBusy={state.underWay !== null} />
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      <p className="flex items-center gap-2 px-1 text-xs text-text-3">
        <DatabaseIcon className="size-3.5 shrink-0" />
        {database.kind === 'embedded' ? 'Embedded database' : 'PostgreSQL'}, {formatBytes(database.bytes)}. A
        copy holds all of it.
      </p>
    </section>
  )
}
