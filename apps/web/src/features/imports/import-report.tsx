import type { ImportItem } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRightIcon, LockIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../components/ui/collapsible.tsx'
import { Field } from '../../components/ui/field.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { cn } from '../../lib/utils.ts'
import { categoriesQuery } from '../library/categories/categories.queries.ts'
import { ConflictRows } from './conflict-rows.tsx'
import { countedKinds, nounOf } from './import-plan.ts'
import { LossList } from './loss-list.tsx'
import type { ImportDialogState } from './use-import-dialog.ts'

const DEFAULT_CATEGORY = 'default'
const LISTED_ITEMS = 200

export interface ImportReportProps {
  state: ImportDialogState
  report: NonNullable<ImportDialogState['report']>
}

export function ImportReport({ state, report }: ImportReportProps) {
  const { items, lossCount } = report
  const conflicts = items.filter((item) => item.state === 'conflict')
  const hasAside = items.length > 0 || lossCount > 0
  return (
    <div
      className={cn(
        'min-h-0 flex-1 overflow-y-auto',
        hasAside && 'md:grid md:grid-cols-[minmax(0,1fr)_310px] md:overflow-hidden',
      )}
    >
      <div className="md:min-h-0 md:overflow-y-auto">
        <div className="px-5 py-3">
          {items.length === 0 ? (
            <p className="text-sm text-text-2">The chosen files contain no prompts.</p>
          ) : (
            <ReportCounts items={items} />
          )}
        </div>
        <ConflictRows conflicts={conflicts} choices={state.choices} onChoose={state.choose} />
        <FoldedItems items={items} />
      </div>
      {hasAside && (
        <aside
          aria-label="Report"
          className="grid content-start gap-4 border-line bg-inset p-4 max-md:border-t md:min-h-0 md:overflow-y-auto md:border-l"
        >
          <LossList {...report} />
          {items.length > 0 && (
            <ImportOptions
              {...state.options}
              skills={items.filter(({ isSkill }) => isSkill).length}
              onChange={state.setOptions}
            />
          )}
        </aside>
      )}
    </div>
  )
}

const STATES = [
  { state: 'new', label: 'new', bar: 'bg-accent' },
  { state: 'same', label: 'same', bar: 'bg-text-3' },
  { state: 'conflict', label: 'conflict', bar: 'bg-warn' },
] as const

function ReportCounts({ items }: { items: readonly ImportItem[] }) {
  const count = (state: ImportItem['state']) => items.filter((item) => item.state === state).length
  const tests = items.reduce((sum, item) => sum + item.tests, 0)
  const shown = STATES.map((each) => ({ ...each, number: count(each.state) })).filter(
    ({ number }) => number > 0,
  )
  return (
    <div className="grid overflow-hidden rounded-card border border-line md:auto-cols-fr md:grid-flow-col md:divide-x md:divide-line max-md:divide-y max-md:divide-line">
      <div className="grid gap-1.5 px-3.5 py-2.5">
        <p className="text-sm text-text-2">
          <span className="mr-1 text-xl font-semibold text-text tabular-nums">
            {items.length.toLocaleString('en')}
          </span>
          {nounOf(items)}
          {items.length === 1 ? '' : 's'}
        </p>
        <div aria-hidden="true" className="flex h-1 gap-0.5">
          {shown.map(({ state, bar, number }) => (
            <span
              key={state}
              className={cn('h-full min-w-1 rounded-full', bar)}
              style={{ flexGrow: number }}
            />
          ))}
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm text-text-2">
          {shown.map(({ state, label, number }) => (
            <span key={state}>
              {number.toLocaleString('en')} {label}
              {state === 'conflict' && number > 1 ? 's' : ''}
            </span>
          ))}
        </p>
      </div>
      {tests > 0 && (
        <div className="grid content-start gap-1.5 px-3.5 py-2.5">
          <p className="text-sm text-text-2">
            <span className="mr-1 text-xl font-semibold text-text tabular-nums">
              {tests.toLocaleString('en')}
            </span>
            {tests === 1 ? 'test' : 'tests'}
          </p>
          <p className="text-sm text-text-2">
            in {countText(items.filter((item) => item.tests > 0).length, 'suite')}
          </p>
        </div>
      )}
    </div>
  )
}

function FoldedItems({ items }: { items: readonly ImportItem[] }) {
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
          {items.slice(0, LISTED_ITEMS).map(({ key, kind, name, tests }) => (
            <li key={key} className="flex gap-3">
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {name}
              </span>
              {kind === 'chain' && <span className="shrink-0 text-text-3">chain</span>}
              {tests > 0 && <span className="shrink-0 text-text-3">{countText(tests, 'test')}</span>}
            </li>
          ))}
          {items.length > LISTED_ITEMS && (
            <li className="text-text-3">
              and {countText(items.length - LISTED_ITEMS, `more ${nounOf(items)}`)}
            </li>
          )}
        </ul>
      </CollapsibleContent>
    </Collapsible>
  )
}

interface ImportOptionsProps {
  categoryId: number | null
  tag: string | null
  asSkills: boolean
  skills: number
  onChange: (change: { categoryId?: number | null; tag?: string | null; asSkills?: boolean }) => void
}

function ImportOptions({ categoryId, tag, asSkills, skills, onChange }: ImportOptionsProps) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  const timeZone = useTimeZone()
  const name = `import ${formatTime({ time: new Date().toISOString(), as: 'shortDay', timeZone })}`
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <Field label="Category" hint="Used for files that don’t name a category.">
        <ChoiceSelect
          choices={[
            { value: DEFAULT_CATEGORY, label: 'General' },
            ...categories
              .filter((category) => category.name !== 'General')
              .map((category) => ({ value: String(category.id), label: category.name })),
          ]}
          value={categoryId === null ? DEFAULT_CATEGORY : String(categoryId)}
          onChange={(value) => onChange({ categoryId: value === DEFAULT_CATEGORY ? null : Number(value) })}
        />
      </Field>
      <SwitchField
        label={`Tag them “${name}”`}
        checked={tag !== null}
        onChange={(isOn) => onChange({ tag: isOn ? name : null })}
      />
      {skills > 0 && (
        <SwitchField
          label={
            skills === 1 ? 'Also serve the skill to agents' : `Also serve the ${skills} skills to agents`
          }
          checked={asSkills}
          onChange={(isOn) => onChange({ asSkills: isOn })}
        />
      )}
      <p className="flex items-center gap-2 text-sm text-text-2">
        <LockIcon aria-hidden="true" className="size-3.5 shrink-0 text-text-3" />
        Private until you share them
      </p>
    </div>
  )
}
