import { useQuery } from '@tanstack/react-query'
import { editorVariables } from './variable-kind.tsx'
import { allVariablesQuery } from './variables.queries.ts'

export function useEditorVariables() {
  return useQuery({ ...allVariablesQuery, select: editorVariables }).data
}
