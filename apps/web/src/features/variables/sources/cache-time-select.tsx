import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'

const CHOICES = [
  { seconds: 0, label: 'Never: fetch for each run' },
  { seconds: 60, label: '1 minute' },
  { seconds: 300, label: '5 minutes' },
  { seconds: 900, label: '15 minutes' },
  { seconds: 3600, label: '1 hour' },
  { seconds: 21_600, label: '6 hours' },
  { seconds: 86_400, label: '1 day' },
]

export interface CacheTimeSelectProps {
  value: number
  onChange: (seconds: number) => void
}

export function CacheTimeSelect({ value, onChange }: CacheTimeSelectProps) {
  // Another client of the interface may have set any number of seconds.
  const isListed = CHOICES.some(({ seconds }) => seconds === value)
  const choices = isListed ? CHOICES : [...CHOICES, { seconds: value, label: `${value} seconds` }]
  return (
    <ChoiceSelect
      choices={choices.map(({ seconds, label }) => ({ value: String(seconds), label }))}
      value={String(value)}
      onChange={(seconds) => onChange(Number(seconds))}
    />
  )
}
