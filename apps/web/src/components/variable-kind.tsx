import type { Variable, VariableType } from '@catenary/contracts'
import { FileTextIcon, GlobeIcon, HardDriveIcon, type LucideIcon, TypeIcon } from 'lucide-react'

const ICONS: Record<VariableType, LucideIcon> = {
  text: TypeIcon,
  file: FileTextIcon,
  api: GlobeIcon,
  googleDrive: HardDriveIcon,
}

/** The sign of a variable's type; decoration beside its word. */
export function VariableTypeIcon({ type, className }: { type: VariableType; className?: string }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden="true" className={className} />
}

/** What a variable holds, as far as it can be told without fetching anything. */
export function variablePeek(
  variable: Pick<Variable, 'type' | 'content' | 'apiUrl' | 'googleDriveFileName'>,
): string {
  if (variable.type === 'api') return variable.apiUrl
  if (variable.type === 'googleDrive') return variable.googleDriveFileName
  return variable.content
}

/** One line of a text, cut at so many characters. */
export function truncate({ text, max }: { text: string; max: number }): string {
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
