import type { Ref } from 'react'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'

/** What runs: the version of a label, one version, or with neither the newest. */
export interface Release {
  label: string | null
  version: number | null
}

export interface Releases {
  latest: number
  labels: readonly { label: string; version: number }[]
  versions?: readonly { number: number; note: string }[]
}

export interface VersionChoiceProps {
  name: string
  newest: string
  hint: string
  value: Release
  releases: Releases | undefined
  error: string | undefined
  onChange: (release: Release) => void
  onBlur?: (() => void) | undefined
  ref?: Ref<HTMLButtonElement>
}

const NEWEST: Release = { label: null, version: null }

/** A choice of the list needs a value; no label has a colon. */
const keyOf = ({ label, version }: Release): string =>
  label !== null ? `label:${label}` : version !== null ? `version:${version}` : 'newest'

export function VersionChoice({
  name,
  newest,
  hint,
  value,
  releases,
  error,
  onChange,
  onBlur,
  ref,
}: VersionChoiceProps) {
  const { latest, labels = [], versions = [] } = releases ?? {}
  const offered = [
    { release: NEWEST, text: latest === undefined ? newest : `${newest} · version ${latest}` },
    ...labels.map(({ label, version }) => ({
      release: { label, version: null },
      text: `${label} · version ${version}`,
    })),
    ...versions.map(({ number, note }) => ({
      release: { label: null, version: number },
      text: note === '' ? `Version ${number}` : `Version ${number} · ${note}`,
    })),
  ].map((choice) => ({ ...choice, key: keyOf(choice.release) }))
  const chosen = { release: value, key: keyOf(value), text: value.label ?? `Version ${value.version}` }
  const isOffered = offered.some(({ key }) => key === chosen.key)
  const isGone = releases !== undefined && value.label !== null && !isOffered
  const choices = isOffered ? offered : [...offered, chosen]
  return (
    <Field
      label={name}
      hint={isGone ? null : hint}
      error={error ?? (isGone ? `The label ${value.label} no longer exists. Choose another.` : undefined)}
    >
      <ChoiceSelect
        choices={choices.map(({ key, text }) => ({ value: key, label: text }))}
        value={chosen.key}
        onChange={(key) => {
          const choice = choices.find((one) => one.key === key)
          if (choice) onChange(choice.release)
        }}
        onBlur={onBlur}
        trigger={{ ref }}
      />
    </Field>
  )
}

export function ChainLabelChoice({
  value,
  onChange,
  ...props
}: Pick<VersionChoiceProps, 'releases' | 'error' | 'onBlur' | 'ref'> & {
  value: string | null
  onChange: (label: string | null) => void
}) {
  return (
    <VersionChoice
      {...props}
      name="Runs"
      newest="latest"
      hint={
        value === null
          ? 'Each run uses the chain as it is at that time.'
          : `Each run uses the version that ${value} is on at that time.`
      }
      value={{ label: value, version: null }}
      onChange={({ label }) => onChange(label)}
    />
  )
}
