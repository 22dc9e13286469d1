import type { Variable } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'

import { useLocation } from 'wouter'
import { categoriesQuery } from '../../features/library/categories/categories.queries.ts'
import { useCreatePrompt } from '../../features/prompts/prompts.queries.ts'
import { VariablesPage } from '../../features/variables/variables-page.tsx'

export default function VariablesRoute() {
  const tryExample = useTryExample()
  return <VariablesPage onTryExample={tryExample} />
}

function useTryExample() {
  const [, navigate] = useLocation()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { mutate: createPrompt } = useCreatePrompt()
  const category = categories.find(({ name }) => name === 'Writing') ?? categories[0]
  return ({ name }: Variable) => {
    if (!category) return
    const content = `Write a short welcome for a new colleague.\n\nVoice: $<${name}>`
    createPrompt(
      { title: 'Welcome a colleague', content, categoryId: category.id },
      { onSuccess: ({ id }) => navigate(`/execute/${id}`) },
    )
  }
}
