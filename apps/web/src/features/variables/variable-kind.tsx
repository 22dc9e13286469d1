import type { Variable, VariableType } from '@catenary/contracts'
import {
  FileScanIcon,
  FileTextIcon,
  GlobeIcon,
  HardDriveIcon,
  ImageIcon,
  type LucideIcon,
  TypeIcon,
} from 'lucide-react'
import type { EditorVariable } from '../../components/prompt-editor/prompt-editor-completion.ts'

const ICONS: Record<VariableType, LucideIcon> = {
  text: TypeIcon,
  file: FileTextIcon,
  api: GlobeIcon,
  googleDrive: HardDriveIcon,
  image: ImageIcon,
  document: FileScanIcon,
}

export function VariableTypeIcon({ type, className }: { type: VariableType; className?: string }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden="true" className={className} />
}

type PreviewedVariable = Pick<Variable, 'type' | 'content' | 'attachment' | 'apiUrl' | 'googleDriveFileName'>

/** What the server puts before the name of an uploaded file. */
const UPLOAD = /^uploads\/\d+_/

export function variablePreview(variable: PreviewedVariable): string {
  if (variable.type === 'api') return variable.apiUrl
  if (variable.type === 'googleDrive') return variable.googleDriveFileName
  if (variable.type === 'image' || variable.type === 'document') return variable.attachment?.fileName ?? ''
  return variable.type === 'file' ? variable.content.replace(UPLOAD, '') : variable.content
}

export function editorVariables(
  variables: readonly (PreviewedVariable & Pick<Variable, 'name'>)[],
): EditorVariable[] {
  return variables.map((variable) => ({ name: variable.name, preview: variablePreview(variable) }))
}
