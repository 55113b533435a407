/* What counts as a cause. An event is a step of a thread together with its causes; the *net* says which earlier
 * operations on an object are causes of an operation on it:
 *
 *   replicated   (place replication) those that do not commute with it
 *   naive        all
 *   contextual   as replicated, but operations that only look are causes of nothing: they have to come before the next
 *                change if they are in the same execution at all
 *
 * The unfolding explorers (unfold/) and the event structure (events/events.h) both follow these definitions. */
#ifndef HD_EVENTS_NET_H
#define HD_EVENTS_NET_H

#include "abi/kinds.h"

typedef enum hd_net { HD_NET_REPLICATED, HD_NET_NAIVE, HD_NET_CONTEXTUAL } hd_net;

/* The group of an operation as the net sees it. */
static inline uint8_t hd_net_group(hd_net net, uint8_t group)
{
    return net == HD_NET_NAIVE ? HD_GROUP_ALONE : group;
}

/* Are operations of the group causes of later ones that do not commute with them? */
static inline bool hd_net_is_cause(hd_net net, uint8_t group)
{
    return net != HD_NET_CONTEXTUAL || group != HD_GROUP_LOOKS;
}

#endif
