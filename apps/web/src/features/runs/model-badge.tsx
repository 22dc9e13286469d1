import type { ComponentProps } from 'react'
import { Badge } from '../../components/ui/badge.tsx'
import { useModelLabel } from '../model-settings/models.ts'

export function ModelBadge({ model, ...props }: { model: string } & ComponentProps<typeof Badge>) {
  const label = useModelLabel()(model)
  return (
    <Badge title={label} {...props}>
      <span className="max-w-40 truncate leading-normal">{label}</span>
    </Badge>
  )
}
