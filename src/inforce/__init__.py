"""Legal research under the law in force at the time of the facts."""
