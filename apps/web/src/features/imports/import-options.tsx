import { useQuery } from '@tanstack/react-query'
import { LockIcon } from 'lucide-react'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { categoriesQuery } from '../library/categories/categories.queries.ts'

export interface ImportOptionsProps {
  categoryId: number | null
  tag: string | null
  asSkills: boolean
  /** How many of them a file calls skills. */
  skills: number
  onChange: (change: { categoryId?: number | null; tag?: string | null; asSkills?: boolean }) => void
}

const DEFAULT = 'default'

/** Where what is imported goes. */
export function ImportOptions({ categoryId, tag, asSkills, skills, onChange }: ImportOptionsProps) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  const timeZone = useTimeZone()
  const name = `import ${formatTime({ time: new Date().toISOString(), as: 'shortDay', timeZone })}`
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <Field label="Into" hint="Where a file names no category.">
        <ChoiceSelect
          choices={[
            { value: DEFAULT, label: 'General' },
            ...categories
              .filter((category) => category.name !== 'General')
              .map((category) => ({ value: String(category.id), label: category.name })),
          ]}
          value={categoryId === null ? DEFAULT : String(categoryId)}
          onChange={(value) => onChange({ categoryId: value === DEFAULT ? null : Number(value) })}
        />
      </Field>
      <SwitchField
        label={`Tag them “${name}”`}
        checked={tag !== null}
        onChange={(isOn) => onChange({ tag: isOn ? name : null })}
      />
      {skills > 0 && (
        <SwitchField
          label={skills === 1 ? 'Make the skill a skill here' : `Make the ${skills} skills skills here`}
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
