import type { NotRunItem } from '@catenary/contracts'

export function NotRunList({ items }: { items: readonly NotRunItem[] }) {
  const shown = items.filter(({ reason }) => reason !== null)
  if (shown.length === 0) return null
  return (
    <section aria-label="Not run" className="grid gap-1.5 rounded-control bg-inset px-3 py-2">
      <h3 className="text-sm font-medium">Kept, but not run</h3>
      <ul className="grid gap-1 text-sm text-text-2">
        {shown.map(({ path, reason, value }) => (
          <li key={path.join('.')} className="grid min-w-0">
            <span>
              <span className="font-mono text-xs">{path.join('.')}</span> · {reason}
            </span>
            <code className="truncate font-mono text-xs text-text-3">{JSON.stringify(value)}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
