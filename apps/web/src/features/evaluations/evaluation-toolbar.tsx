import { ArrowDownUpIcon, ChevronDownIcon, XIcon } from 'lucide-react'
import { useId } from 'react'
import { SearchInput } from '../../components/search-input.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { Label } from '../../components/ui/label.tsx'
import { RadioMenu } from '../../components/ui/radio-menu.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import { EVALUATION_SORTS, type EvaluationSort, type EvaluationView } from './evaluation-view.ts'

const SORT_LABELS: Record<EvaluationSort, string> = {
  failures: 'Failures first',
  difference: 'By difference',
  test: 'As in the suite',
}

interface EvaluationToolbarProps {
  view: EvaluationView
  onChange: (change: Partial<EvaluationView>) => void
  tags: readonly string[]
  regressions: number
  isPhone: boolean
}

export function EvaluationToolbar({ view, onChange, tags, regressions, isPhone }: EvaluationToolbarProps) {
  const id = useId()
  const toggleTag = (tag: string) =>
    onChange({ tags: view.tags.includes(tag) ? view.tags.filter((one) => one !== tag) : [...view.tags, tag] })
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2">
      {!isPhone && <EvaluationSearch view={view} onChange={onChange} />}
      {tags.length > 0 && (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="secondary">
              Tags{view.tags.length > 0 && ` · ${view.tags.length}`}
              <ChevronDownIcon className="text-text-3" />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="start">
            {tags.map((tag) => (
              <DropdownMenuCheckboxItem
                key={tag}
                checked={view.tags.includes(tag)}
                onCheckedChange={() => toggleTag(tag)}
                onSelect={(event) => event.preventDefault()}
              >
                {tag}
              </DropdownMenuCheckboxItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      )}
      <span className="flex items-center gap-2">
        <Switch
          id={id}
          checked={view.onlyRegressions}
          onCheckedChange={(onlyRegressions) => onChange({ onlyRegressions })}
        />
        <Label htmlFor={id} className="text-sm font-normal text-text">
          Only regressions <span className="text-text-3">{regressions}</span>
        </Label>
      </span>
      {view.failing !== null && (
        <Button variant="secondary" onClick={() => onChange({ failing: null })}>
          Fails in v{view.failing}
          <XIcon className="text-text-3" />
        </Button>
      )}
      <RadioMenu
        value={view.sort}
        choices={EVALUATION_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] }))}
        onChange={(sort) => onChange({ sort })}
        align="end"
      >
        <Button variant="ghost" aria-label={`Order: ${SORT_LABELS[view.sort]}`} className="ml-auto">
          <ArrowDownUpIcon />
          {!isPhone && SORT_LABELS[view.sort]}
          <ChevronDownIcon className="text-text-3" />
        </Button>
      </RadioMenu>
    </div>
  )
}

export function EvaluationSearch({ view, onChange }: Pick<EvaluationToolbarProps, 'view' | 'onChange'>) {
  return (
    <SearchInput
      aria-label="Search tests"
      placeholder="Search tests"
      value={view.search}
      onSearch={(search) => onChange({ search })}
    />
  )
}
