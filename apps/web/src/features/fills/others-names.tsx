export function OthersNames({ names }: { names: readonly string[] | undefined }) {
  if (names === undefined || names.length === 0) return null
  return (
    <p role="note" className="text-xs text-text-2 wrap-anywhere">
      Not brought in by you: <span className="font-medium text-warn">{names.join(', ')}</span>. A private
      value of yours is filled in by your consent only.
    </p>
  )
}
