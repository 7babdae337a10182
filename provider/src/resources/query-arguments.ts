import { filled, type InputDeclaration } from './attributes-of.ts'

/** The arguments that clients pass to a native query or a stored procedure. */
export const queryArguments: InputDeclaration = {
  description: 'What clients give, by name.',
  of: {
    type: filled('Its type in the database.'),
    nullable: 'Whether it may be null or left out.',
    description: 'Its description in GraphQL.',
  },
}
