import { cn } from '../../lib/utils.ts'
import { Table, TableBody, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { pathWithin } from './json-answer.ts'
import { type JsonRemarks, JsonRepair } from './json-repair.tsx'
import type { JsonTableContent } from './json-table-of.ts'
import { JsonText } from './json-text.tsx'

export interface JsonTableProps {
  table: JsonTableContent
  path: string
  shown: number
  remarks: JsonRemarks
}

export function JsonTable({ table: { columns, rows }, path, shown, remarks }: JsonTableProps) {
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
