import type { ImportItem } from '@catenary/contracts'
import { ChevronRightIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../components/ui/badge.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../components/ui/collapsible.tsx'
import { counted, countedKinds, nounOf } from './import-plan.ts'

/** Names of so many are listed; the file has the others. */
const LISTED = 200

/** The new ones and those that are here already, each group folded. */
export function FoldedItems({ items }: { items: readonly ImportItem[] }) {
  return (
    <div className="divide-y divide-line">
      <Group
        items={items.filter(({ state }) => state === 'new')}
        about="private, and yours"
        badge={<Badge variant="ok">New</Badge>}
      />
      <Group
        items={items.filter(({ state }) => state === 'same')}
        about="here already, nothing to do"
        badge={<Badge>Same</Badge>}
      />
    </div>
  )
}

function Group({ items, about, badge }: { items: readonly ImportItem[]; about: string; badge: ReactNode }) {
  if (items.length === 0) return null
  return (
    <Collapsible defaultOpen={items.length <= 5}>
      <CollapsibleTrigger className="group flex min-h-10 w-full items-center gap-2.5 px-5 py-1.5 text-left text-sm hover:bg-hover pointer-coarse:min-h-11">
        <ChevronRightIcon
          aria-hidden="true"
          className="size-4 shrink-0 text-text-3 transition-transform group-data-[state=open]:rotate-90"
        />
        <span className="min-w-[160px] font-medium">{countedKinds(items)}</span>
        <span className="min-w-0 flex-1 truncate text-text-2 max-md:hidden">{about}</span>
        <span className="ml-auto">{badge}</span>
      </CollapsibleTrigger>
      <CollapsibleContent>
        <ul className="grid gap-1 pr-5 pb-2.5 pl-[46px] text-sm">
          {items.slice(0, LISTED).map(({ key, kind, name, tests }) => (
            <li key={key} className="flex gap-3">
              <span className="min-w-0 wrap-anywhere">{name}</span>
              {kind === 'chain' && <span className="shrink-0 text-text-3">chain</span>}
              {tests > 0 && <span className="shrink-0 text-text-3">{counted(tests, 'test')}</span>}
            </li>
          ))}
          {items.length > LISTED && (
            <li className="text-text-3">and {counted(items.length - LISTED, `more ${nounOf(items)}`)}</li>
          )}
        </ul>
      </CollapsibleContent>
    </Collapsible>
  )
}
