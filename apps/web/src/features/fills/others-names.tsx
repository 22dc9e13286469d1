export function OthersNames({ names }: { names: readonly string[] | undefined }) {
  if (names === undefined || names.length === 0) return null
  return (
    <p role="note" className="text-xs text-text-2 wrap-anywhere">
      Not added by you: <span className="font-medium text-warn">{names.join(', ')}</span>. Your private values
      are filled in only if you agree.
    </p>
  )
}
