import { PlusIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { TableBody, TableHead, TableHeader } from '../../components/ui/table.tsx'
import type { TokenColumn } from './token-columns.tsx'
import { TokenStates, type TokenStatesProps } from './token-states.tsx'

export interface TokenCardProps extends TokenStatesProps {
  headingId: string
  title: string
  note?: ReactNode
  notice?: ReactNode
  refusal: string | undefined
  onCreate: () => void
  columns: readonly Pick<TokenColumn<never>, 'name' | 'head'>[]
}

export function TokenCard(props: TokenCardProps) {
  const { headingId, title, note, notice, refusal, onCreate, columns, children, ...states } = props
  return (
    <div className="@container min-w-0 rounded-card border border-line bg-surface">
      <div className="flex min-h-12 flex-wrap items-center gap-x-2 py-2 pr-2.5 pl-3.5">
        <h2 id={headingId} className="text-md font-semibold">
          {title}
        </h2>
        {note}
        <Button
          variant="secondary"
          size="sm"
          className="ml-auto"
          title={refusal}
          aria-disabled={refusal !== undefined || undefined}
          onClick={() => refusal === undefined && onCreate()}
        >
          <PlusIcon />
          Create Token
        </Button>
      </div>
      {notice}
      <div className="border-t border-line">
        <TokenStates {...states}>
          <table aria-labelledby={headingId} className="w-full table-fixed border-collapse text-left text-sm">
            <TableHeader>
              <tr>
                <TableHead>Name</TableHead>
                {columns.map(({ name, head }) => (
                  <TableHead key={name} className={head}>
                    <span>{name}</span>
                  </TableHead>
                ))}
                <TableHead className="w-[140px] @max-lg:w-[76px] pointer-coarse:@max-lg:w-[104px]">
                  <span className="sr-only">Actions</span>
                </TableHead>
              </tr>
            </TableHeader>
            <TableBody>{children}</TableBody>
          </table>
        </TokenStates>
      </div>
    </div>
  )
}
