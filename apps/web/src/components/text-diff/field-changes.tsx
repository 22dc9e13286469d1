export interface FieldChange {
  label: string
  before: string
  after: string
}

export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null
  return (
    <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      {changes.map(({ label, before, after }) => (
        <div key={label} className="contents">
          <dt className="text-text-3">{label}</dt>
          <dd className="min-w-0 wrap-anywhere max-sm:mb-1">
            <del className="rounded-[4px] bg-danger-soft px-1 text-danger">{before || 'empty'}</del>{' '}
            <ins className="rounded-[4px] bg-ok-soft px-1 text-ok no-underline">{after || 'empty'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
