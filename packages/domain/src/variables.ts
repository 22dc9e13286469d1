import type { Variable } from '@catenary/contracts'

/** The variable that a name means for a person: an own one, else an admin's, else the oldest that they see (D22, D52). */
export function findVariable<Known extends Pick<Variable, 'id' | 'name' | 'owner' | 'ownerIsAdmin'>>({
  name,
  variables,
  username,
}: {
  name: string
  variables: readonly Known[]
  username: string | undefined
}): Known | undefined {
  const named = variables.filter((variable) => variable.name.toLowerCase() === name.toLowerCase())
  const isOwn = ({ owner }: Known) => Number(owner === username)
  const isAdmins = ({ ownerIsAdmin }: Known) => Number(ownerIsAdmin)
  return named.toSorted(
    (left, right) => isOwn(right) - isOwn(left) || isAdmins(right) - isAdmins(left) || left.id - right.id,
  )[0]
}

export function variablePlaceholder({
  type,
  googleDriveFileName = '',
}: {
  type: string
  googleDriveFileName?: string
}): string {
  if (type === 'text') return ''
  if (type === 'api') return 'API content will appear here after fetching'
  if (type === 'file') return 'File content will appear here'
  if (type === 'image') return 'The image will be attached here'
  if (type === 'document') return 'The PDF will be attached here'
  if (type === 'googleDrive') return `Google Drive file: ${googleDriveFileName || 'Loading...'}`
  return 'Unsupported variable type'
}
