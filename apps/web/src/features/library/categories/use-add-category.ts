import { type Category, isSameName } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { toast } from '../../../lib/toast.ts'
import { categoriesQuery, useCreateCategory } from './categories.queries.ts'

/** Adds a category by name; one of that name is taken instead. `onAdded` gets the new or the existing one. */
export function useAddCategory(onAdded: (category: Category) => void) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { mutate, isPending } = useCreateCategory()

  const addCategory = (text: string) => {
    const name = text.trim()
    if (name === '') return
    const existing = categories.find((category) => isSameName(category.name, name))
    if (existing) {
      toast({
        title: 'Category exists',
        description: `“${existing.name}” already exists and is now selected.`,
      })
      onAdded(existing)
      return
    }
    mutate(name, {
      onSuccess: (category) => {
        toast({
          title: 'Category created',
          description: `Your category has been created successfully: ${category.name}`,
        })
        onAdded(category)
      },
    })
  }
  return { addCategory, isPending }
}
