import type { ComponentProps } from 'react'
import { useModelLabel } from '../lib/models.ts'
import { Badge } from './ui/badge.tsx'

/** With which model something ran or will run. */
export function ModelBadge({ model, ...props }: { model: string } & ComponentProps<typeof Badge>) {
  const labelOf = useModelLabel()
  return <Badge {...props}>{labelOf(model)}</Badge>
}
